(** * BYKEY: an invariant of a joint bucket

    Two by-key folds over one index set.  Where keys are equal on one side exactly when they are on the other, their buckets
    pair off, and both buckets of a pair are one fold: its state is whether each exists, and both accumulators.  A bucket that
    exists on one side only has to put nothing out (CAV eq. 2-3, generalised; THEORY section 3). *)
From Tallystick Require Export FoldRule Congruence.

Record side := { kx : name; ex : name; ax : name; kt : ty; vt : ty; tt : ty; start : term; step' : term; source : term; sm : mono; pm : mono }.
Definition by_key_term (d : side) := Op FoldByKey [start d; step' d; source d].
Definition key_var d := Var (kx d) (kt d).
Definition ex_var d := Var (ex d) TBool.
Definition ax_var d := Var (ax d) (tt d).
Definition pair_type d := TTup [kt d; tt d].
Definition read_side (P t : term) (names : name * name * name) : option side :=
  let '(k, e, a) := names in
  match t with
  | Op FoldByKey [i; f; b] =>
      match type t, type b, monomials b with
      | Some (TBag (TTup [kt; tt])), Some (TBag (TTup [_; vt])), Some [m] =>
          match monomials (substitute (replace t (Var Post (TBag (TTup [kt; tt])))) P) with
          | Some [q] => Some {| kx := k; ex := e; ax := a; kt := kt; vt := vt; tt := tt; start := i; step' := f; source := b; sm := m; pm := q |}
          | _ => None
          end
      | _, _, _ => None
      end
  | _ => None
  end.

Definition mkst x t i a : folded := {| acc := x; aty := t; ety := TBool; init := i; udf := a; over := ff'; mons := [] |}.
Definition states_of (d : side) : list folded :=
  [mkst (ex d) TBool ff' (disj [ex_var d; present (sm d)]);
   mkst (ax d) (tt d) (start d) (ite (present (sm d)) (apply (Some (proj (result (sm d)) 1)) (Some (ax_var d)) (step' d)) (ax_var d))].
Definition all_states (ds : list side) := flat_map states_of ds.
Definition guard (d : side) := implies (present (sm d)) (eq' (proj (result (sm d)) 0) (key_var d)).
(** The values of the (key, value) pairs that have the bucket's key. *)
Definition bucket_mono (d : side) : mono := {| slots := slots (sm d);
  present := conj [present (sm d); eq' (proj (result (sm d)) 0) (key_var d)]; result := proj (result (sm d)) 1 |}.
Definition in_bucket (d : side) : folded :=
  {| acc := ax d; aty := tt d; ety := vt d; init := start d; udf := step' d; over := ff'; mons := [bucket_mono d] |}.
Definition twin (d : side) (t : term) := put (beside (slots (sm d)) (sm d)) t.
Definition put_pair (d : side) (t : term) : option term :=
  match t with Var (S Post O) k => if ty_eqb k (pair_type d) then Some (Op Tuple [key_var d; ax_var d]) else None | _ => None end.
Definition out_present (d : side) := conj [ex_var d; substitute (put_pair d) (present (pm d))].
Definition out_result (d : side) := substitute (put_pair d) (result (pm d)).
Definition same_key (d : side) := eq' (proj (result (sm d)) 0) (proj (twin d (result (sm d))) 0).
Definition by_key_premises (G inv : term) (d1 d2 : side) : list term :=
  let known := conj [G; inv] in
  let sts := all_states [d1; d2] in
  [implies G (substitute (states sts (fun s => Some (init s))) inv);
   implies (conj [G; inv; conj [guard d1; guard d2]]) (substitute (states sts (fun s => Some (udf s))) inv);
   order known (in_bucket d1) (bucket_mono d1, bucket_mono d1); order known (in_bucket d2) (bucket_mono d2, bucket_mono d2);
   implies (conj [G; present (sm d1); twin d1 (present (sm d1)); present (sm d2); twin d2 (present (sm d2))]) (eq' (same_key d1) (same_key d2));
   implies (conj [known; out_present d1]) (conj [out_present d2; eq' (out_result d1) (out_result d2)]);
   implies (conj [known; out_present d2]) (out_present d1)].
(** Two lists of keys whose outputs pair off. *)
Lemma pair_off {B} (R : val -> val -> Prop) (o1 o2 : val -> list B) :
  (forall a b c, R a b -> R a c -> b = c) -> (forall a b c, R a c -> R b c -> a = b) -> (forall a b, R a b -> o1 a = o2 b) ->
  forall l k, NoDup l -> NoDup k -> (forall a, In a l -> (exists b, In b k /\ R a b) \/ o1 a = []) ->
  (forall b, In b k -> (exists a, In a l /\ R a b) \/ o2 b = []) -> Permutation (flat_map o1 l) (flat_map o2 k).
Proof.
  intros F1 F2 O. induction l as [|a l IH]; intros k NL NK H1 H2.
  - cbn. replace (flat_map o2 k) with (@nil B); auto. clear NK H1. induction k as [|b k IHk]; cbn; auto.
    destruct (H2 b (or_introl eq_refl)) as [(x & [] & _)| ->]. apply IHk. intros; apply H2; right; auto.
  - inversion NL; subst. cbn. destruct (H1 a (or_introl eq_refl)) as [(b & B1 & B2)|E].
    + apply in_split in B1 as (k1 & k2 & ->). apply NoDup_remove in NK as [NK NB].
      rewrite flat_map_app. cbn. rewrite (O a b B2). etransitivity; [|apply Permutation_app_swap_app].
      apply Permutation_app_head. rewrite <- flat_map_app. apply IH; auto.
      * intros x X. destruct (H1 x (or_intror X)) as [(y & Y & RY)|]; auto. left. exists y. split; auto.
        apply in_app_or in Y. apply in_or_app. destruct Y as [Y|[<-|Y]]; auto. rewrite (F2 _ _ _ B2 RY) in H3. tauto.
      * intros y Y. destruct (H2 y) as [(x & [<-|X] & RX)|]; auto.
        -- apply in_app_or in Y. apply in_or_app. destruct Y; auto. right; right; auto.
        -- rewrite <- (F1 _ _ _ B2 RX) in Y. tauto.
        -- left. eauto.
    + rewrite E. cbn. apply IH; auto.
      * intros x X. apply H1. right; auto.
      * intros y Y. destruct (H2 y Y) as [(x & [<-|X] & RX)|]; auto; [right; rewrite <- (O _ _ RX); auto|left; eauto].
Qed.
