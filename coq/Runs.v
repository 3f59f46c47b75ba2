(** * Every run returns the same: folds do not depend on the order of their elements

    The rules reason about one run, [in_order], in which folds take their elements in ascending order.  Here is why other runs
    return the same: every fold of the program carries a proof that order does not matter, by induction over its elements. *)
From Tallystick Require Export FoldRule.

Fixpoint folds (t : term) : list term := match t with
  | Op o args => flat_map folds args ++ match o with Fold | FoldByKey => [t] | _ => [] end
  | _ => []
  end.
(** The values that a by-key fold takes for the key [k]. *)
Definition values_of_key (k : val) (pairs : list val) : list val :=
  map (component 1) (filter (fun p => veqb (component 0 p) k) pairs).

(** What [how] returns for [t] is what the run in order returns. *)
Definition one_result (how : cluster) (r : env) (t : term) : Prop := match t with
  | Op Fold [i; f; b] => forall g, (forall m x, g m x = eval r x m f) ->
      how t g (meaning r i) (elements (meaning r b)) = meaning r t
  | Op FoldByKey [i; f; b] => forall g k, (forall m x, g m x = eval r x m f) -> In k (map (component 0) (elements (meaning r b))) ->
      how t g (meaning r i) (values_of_key k (elements (meaning r b))) =
      fold_left (fun m x => eval r x m f) (values_of_key k (elements (meaning r b))) (meaning r i)
  | _ => True
  end.

Theorem runs_alike how r t : Forall (one_result how r) (folds t) -> forall e a, run how r e a t = eval r e a t.
Proof.
  induction t using term_ind'; intros O e a; try reflexivity. cbn [folds] in O. apply Forall_app in O as [O1 O2].
  assert (X : forall x, In x args -> forall e a, run how r e a x = eval r e a x).
  { rewrite Forall_forall in H. intros x I. apply H; auto. rewrite Forall_forall in O1. apply Forall_forall. intros y Y. apply O1, in_flat_map. eauto. }
  assert (M : forall e a, map (run how r e a) args = map (eval r e a) args) by (intros; apply map_ext_in; auto).
  clear H O1.
  destruct o; cbn [run]; rewrite ?M; auto; destruct args as [|x [|y [|z [|]]]]; auto; cbn [In] in *;
    rewrite ?(X x), ?(X y), ?(X z) by tauto; auto.
  - f_equal. apply map_ext. intros; apply X; auto.
  - f_equal. apply filter_ext. intros; f_equal. apply X; auto.
  - inversion O2 as [|? ? O _]; subst. apply O. intros; apply X; auto.
  - inversion O2 as [|? ? O _]; subst. cbn [in_order]. f_equal. apply map_ext_in. intros k K. do 3 f_equal.
    apply (proj1 (dedup_in _ _)) in K. apply (O _ k); auto.
Qed.

Lemma fold_left_same {A B} (f g : A -> B -> A) l : (forall a b, f a b = g a b) -> forall a, fold_left f l a = fold_left g l a.
Proof. intros E. induction l as [|x l IH]; cbn; intros a; auto. now rewrite E. Qed.

(** ** Any order *)
Definition takes_any_order (r : env) (t : term) : Prop := match t with
  | Op Fold [i; f; b] => forall l, Permutation (elements (meaning r b)) l ->
      fold_left (fun m x => eval r x m f) l (meaning r i) = meaning r t
  | Op FoldByKey [i; f; b] => forall k l, Permutation (values_of_key k (elements (meaning r b))) l ->
      fold_left (fun m x => eval r x m f) l (meaning r i) =
      fold_left (fun m x => eval r x m f) (values_of_key k (elements (meaning r b))) (meaning r i)
  | _ => True
  end.
Lemma any_order_result how r t : any_order how -> takes_any_order r t -> one_result how r t.
Proof.
  intros AO T. destruct t as [| | | | |o args]; try exact I. destruct o; try exact I; destruct args as [|i [|f [|b [|]]]]; try exact I.
  - intros g E. destruct (AO (Op Fold [i; f; b]) g (meaning r i) (elements (meaning r b))) as (l & P & ->).
    rewrite (fold_left_same g _ l E). now apply T.
  - intros g k E _. destruct (AO (Op FoldByKey [i; f; b]) g (meaning r i) (values_of_key k (elements (meaning r b)))) as (l & P & ->).
    rewrite (fold_left_same g _ l E). now apply T.
Qed.

(** ** ORDER

    An invariant of the states of one fold, under which any two elements may change places.  A by-key fold is one fold over
    the values of each key, and so over some of all values. *)
Definition as_fold (t : term) : option term := match t with
  | Op Fold _ => Some t
  | Op FoldByKey [i; f; b] => match type b with
      | Some (TBag (TTup [k; u])) => Some (Op Fold [i; f; Op Map [Op (Proj 1) [Elem (TTup [k; u])]; b]]) | _ => None end
  | _ => None
  end.
Definition ordered (fuel : nat) (t : term) (state : name) (inv : term) (evidence : list tree) : bool :=
  match as_fold t with
  | Some f => match read_fold f state with
      | Some d => fold_ok tt' t t inv [d] && discharged fuel (fold_premises tt' inv [d]) evidence
      | None => false
      end
  | None => false
  end.
Lemma read_fold_ok t x d : read_fold t x = Some d -> acc d = x /\ the_fold d = t /\
  type (the_fold d) = Some (aty d) /\ type (over d) = Some (TBag (ety d)) /\ monomials (over d) = Some (mons d).
Proof.
  unfold read_fold. destruct t as [| | | | |o args]; try discriminate. destruct o; try discriminate.
  destruct args as [|i [|f [|b [|]]]]; try discriminate. destruct (type (Op Fold [i; f; b])) as [k|] eqn:T; [|discriminate].
  destruct (type b) as [[| | |u]|] eqn:B; try discriminate. destruct (monomials b) as [ms|] eqn:M; try discriminate.
  intros [= <-]. cbn [acc the_fold init udf over aty ety mons]. auto.
Qed.
Lemma values_in k pairs v : In v (values_of_key k pairs) -> In v (map (component 1) pairs).
Proof. unfold values_of_key. rewrite !in_map_iff. intros (p & E & P). apply filter_In in P as [P _]. eauto. Qed.
Theorem ordered_ok fuel t state inv evidence : ordered fuel t state inv evidence = true -> forall r, typed r -> takes_any_order r t.
Proof.
  unfold ordered. destruct (as_fold t) as [f|] eqn:AF; [|discriminate]. destruct (read_fold f state) as [d|] eqn:RF; [|discriminate].
  rewrite andb_true_iff. intros [OK D] r R. apply read_fold_ok in RF as (RA & RT & R1 & R2 & R3).
  unfold fold_ok, goal_ok in OK. rewrite !andb_true_iff in OK. destruct OK as ((((((((PG & PP) & PQ) & TG) & TQ) & PI) & TI) & DN) & DS).
  apply is_eq in TG, TI. rewrite forallb_forall in DS. specialize (DS d (or_introl eq_refl)).
  rewrite !andb_true_iff, negb_true_iff in DS. destruct DS as (((S1 & S2) & S3) & S4). rewrite forallb_forall in S3, S4.
  specialize (S3 d (or_introl eq_refl)). rewrite forallb_forall in S3.
  assert (ANY : forall l l', (forall y, In y l -> In y (elements (meaning r (over d)))) -> Permutation l l' ->
      fold_left (fun m x => eval r x m (udf d)) l (meaning r (init d)) = fold_left (fun m x => eval r x m (udf d)) l' (meaning r (init d))).
  { intros l l'. apply (any_order_of tt' inv [d] r R eq_refl eq_refl eq_refl PI TI DN); auto.
    - intros d' [<-|[]]. auto.
    - intros d' [<-|[]]. exact S1.
    - intros d' [<-|[]]. exact S2.
    - intros d1 d2 x [<-|[]] [<-|[]] X. apply negb_true_iff, S3, X.
    - intros p P. exact (proj2 (discharged_ok _ _ _ D p P)).
    - cbn; auto. }
  destruct t as [| | | | |o args]; try exact I. destruct o; try exact I; destruct args as [|i [|g [|b [|]]]]; try exact I; cbn [as_fold] in AF.
  - injection AF as AF. rewrite <- AF in RT. injection RT as E1 E2 E3. rewrite E1, E2, E3 in ANY. intros l P. symmetry. apply ANY; auto.
  - destruct (type b) as [[| | |[| |[|k [|u [|]]]|]]|] eqn:TB; try discriminate. injection AF as AF. rewrite <- AF in RT. injection RT as E1 E2 E3.
    rewrite E1, E2, E3 in ANY. intros key l P. symmetry. apply ANY; auto. intros y Y. apply values_in in Y.
    unfold meaning; cbn [run in_order]. apply (Permutation_in _ (Permutation_sym (elements_bag _))). exact Y.
Qed.
