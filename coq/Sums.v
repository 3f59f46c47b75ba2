(** * Sums over the elements of a bag, and over the bags that it is made of

    A sum over [map f b] is one over [b]; a sum over a union is the sum of two; a sum over buckets is one over all elements, where what
    is added for a bucket is a sum over the bucket. *)
From Tallystick Require Export Induction.

Definition sumZ {A} (g : A -> Z) (l : list A) : Z := fold_right (fun x s => g x + s) 0 l.
Lemma sumZ_perm {A} (g : A -> Z) l k : Permutation l k -> sumZ g l = sumZ g k.
Proof. unfold sumZ. induction 1; cbn; lia. Qed.
Lemma sumZ_same {A} (g h : A -> Z) l : (forall x, In x l -> g x = h x) -> sumZ g l = sumZ h l.
Proof. unfold sumZ. induction l as [|x l IH]; cbn; intros H; auto. rewrite H, IH by auto. reflexivity. Qed.
Lemma sumZ_map {A B} (g : B -> Z) (f : A -> B) l : sumZ g (map f l) = sumZ (fun x => g (f x)) l.
Proof. unfold sumZ. induction l; cbn; congruence. Qed.
Lemma sumZ_filter {A} (g : A -> Z) p l : sumZ g (filter p l) = sumZ (fun x => if p x then g x else 0) l.
Proof. unfold sumZ. induction l as [|x l IH]; cbn; auto. destruct (p x); cbn; lia. Qed.
Lemma sumZ_app {A} (g : A -> Z) l k : sumZ g (l ++ k) = sumZ g l + sumZ g k.
Proof. unfold sumZ. induction l as [|x l IH]; cbn [app fold_right]; lia. Qed.
Lemma sumZ_plus {A} (g h : A -> Z) l : sumZ (fun x => g x + h x) l = sumZ g l + sumZ h l.
Proof. unfold sumZ. induction l; cbn; lia. Qed.
Lemma sumZ_one (a : val) c l : NoDup l -> In a l -> sumZ (fun k => if veqb a k then c else 0) l = c.
Proof.
  induction 1 as [|k l N D IH]; [intros []|]. intros I. unfold sumZ in *. cbn [fold_right]. destruct (veqb a k) eqn:E.
  - apply veqb_eq in E. subst. replace (fold_right _ 0 l) with 0; [lia|]. clear -N. induction l as [|x l IH]; cbn; auto.
    destruct (veqb k x) eqn:E; [apply veqb_eq in E; subst; exfalso; apply N; cbn; auto|]. rewrite <- IH; [lia|]. intros I. apply N. cbn. auto.
  - destruct I as [->|I]; [rewrite veqb_refl in E; discriminate|]. rewrite IH; auto.
Qed.
Lemma by_buckets (key : val -> val) (g : val -> Z) ks l : NoDup ks -> (forall y, In y l -> In (key y) ks) ->
  sumZ (fun k => sumZ g (filter (fun p => veqb (key p) k) l)) ks = sumZ g l.
Proof.
  intros D. induction l as [|y l IH]; cbn [filter]; intros K.
  - unfold sumZ at 2 3. cbn. clear. unfold sumZ. induction ks; cbn; auto.
  - rewrite (sumZ_same _ (fun k => (if veqb (key y) k then g y else 0) + sumZ g (filter (fun p => veqb (key p) k) l))).
    + rewrite sumZ_plus, sumZ_one, IH; auto; [intros; apply K|apply K]; cbn; auto.
    + intros k _. destruct (veqb (key y) k); unfold sumZ; cbn; lia.
Qed.

Section Sums.
  Variables (ds : list defined) (G : term).
  Hypothesis OK : definitions_ok ds = true.
  Hypothesis SG : scoped false [] G = true.
  Notation fine := (fine ds G).
  Notation lawful := (lawful ds G).

  Record sum := { weighed_by : term; summed : term; sum_element : ty }.
  Definition read_sum (ts : list ty) (t : term) : option sum := match t with
    | Op Fold [z; Op Add [a; w]; b] => match type b with
        | Some (TBag u) => if term_eqb z (Int 0) && term_eqb a (Acc TInt) && is (typeof (Some u) None w) TInt && scoped false ts w && scoped false ts b
            then Some {| weighed_by := w; summed := b; sum_element := u |} else None
        | _ => None end
    | _ => None end.
  Definition weight (r : env) (w : term) (x : val) : Z := toZ (eval r x nothing w).
  Lemma read_sum_ok ts t s : read_sum ts t = Some s -> t = Op Fold [Int 0; Op Add [Acc TInt; weighed_by s]; summed s] /\ type (summed s) = Some (TBag (sum_element s)) /\
    typeof (Some (sum_element s)) None (weighed_by s) = Some TInt /\ scoped false ts (weighed_by s) = true /\ scoped false ts (summed s) = true.
  Proof.
    unfold read_sum. destruct t as [| | | | | |o args]; try discriminate. destruct o; try discriminate.
    destruct args as [|z [|f [|b l]]]; try discriminate; [destruct f as [| | | | | |[] [|? [|? []]]]; discriminate|].
    destruct l; [|destruct f as [| | | | | |[] [|? [|? []]]]; discriminate].
    destruct f as [| | | | | |o args]; try discriminate. destruct o; try discriminate. destruct args as [|a [|w l]]; try discriminate. destruct l; [|discriminate].
    destruct (type b) as [[| | | | |u]|] eqn:T; try discriminate.
    match goal with |- context [if ?c then _ else _] => destruct c eqn:C end; [|discriminate]. intros [= <-]. cbn [weighed_by summed sum_element].
    rewrite !andb_true_iff in C. destruct C as [[[[C1 C2] C3] C4] C5]. apply is_eq in C3. apply term_eqb_eq in C1, C2. subst. auto.
  Qed.
  Lemma sum_value ts t s r : typed r -> read_sum ts t = Some s -> meaning r t = VInt (sumZ (weight r (weighed_by s)) (elements (meaning r (summed s)))).
  Proof.
    intros R S. apply read_sum_ok in S as (-> & T & W & SW & SB). unfold meaning at 1. cbn [run in_order]. fold (meaning r (summed s)).
    pose proof (has_type_elements _ _ (typed_meaning r _ _ R T)) as EV. set (l := elements (meaning r (summed s))) in *. clearbody l.
    assert (E : forall z, fold_left (fun m x => VInt (fold_right Z.add 0 (map toZ (map (eval r x m) [Acc TInt; weighed_by s])))) l (VInt z) = VInt (z + sumZ (weight r (weighed_by s)) l)).
    { induction EV as [|x l X _ IH]; intros z; cbn [fold_left]; [unfold sumZ; cbn; now rewrite Z.add_0_r|].
      cbn [map]. change (eval r x (VInt z) (Acc TInt)) with (VInt z). rewrite (no_accumulator ts (sum_element s) (weighed_by s) TInt r x (VInt z) nothing R SW W X).
      cbn [fold_right toZ]. fold (weight r (weighed_by s) x). replace (z + (weight r (weighed_by s) x + 0)) with (z + weight r (weighed_by s) x) by lia.
      rewrite IH. f_equal. unfold sumZ. cbn [fold_right]. lia. }
    specialize (E 0). cbn [map] in E. exact E.
  Qed.
  (** A defined function of these parameters that is a sum. *)
  Definition sum_function (ts : list ty) (n : nat) : option (defined * sum) := match nth_error ds n with
    | Some d => match read_sum ts (body d) with Some s => if list_eqb ty_eqb (takes d) ts && ty_eqb (gives d) TInt then Some (d, s) else None | None => None end
    | None => None end.
  Lemma sum_function_ok ts n d s : sum_function ts n = Some (d, s) -> In d ds /\ read_sum ts (body d) = Some s /\ takes d = ts /\ gives d = TInt.
  Proof.
    unfold sum_function. destruct (nth_error ds n) as [e|] eqn:N; [|discriminate]. destruct (read_sum ts (body e)) as [q|] eqn:S; [|discriminate].
    destruct (_ && _) eqn:C; [|discriminate]. intros [= -> ->]. apply andb_true_iff in C as [A B]. apply tys_eqb_eq in A. apply ty_eqb_eq in B. apply nth_error_In in N. auto.
  Qed.
  Lemma sum_type ts n d s : sum_function ts n = Some (d, s) -> type (apply_to d ts []) = Some TInt.
  Proof.
    intros S. apply sum_function_ok in S as (J & S & T & Gi). assert (T' : takes d = (ts ++ [])%list) by now rewrite app_nil_r.
    rewrite <- Gi. exact (apply_to_type ds d ts [] [] J T' (Forall2_nil _)).
  Qed.
  Lemma sum_here r ts n d s : fine r -> sum_function ts n = Some (d, s) ->
    meaning r (apply_to d ts []) = VInt (sumZ (weight r (weighed_by s)) (elements (meaning r (summed s)))).
  Proof.
    intros F S. apply sum_function_ok in S as (J & S & T & Gi). assert (T' : takes d = (ts ++ [])%list) by now rewrite app_nil_r.
    rewrite (apply_to_ok ds G OK r d ts [] [] F J T' (Forall2_nil _)). rewrite <- (sum_value ts _ s r (fine_typed _ _ _ F) S).
    destruct (body_ok ds OK d J) as [_ SB]. rewrite T in SB. exact (inside_here false r ts [] [] (body d) (fine_typed _ _ _ F) (Forall2_nil _) SB nothing nothing).
  Qed.

  Inductive sum_step :=
    | OverMap (whole part : nat) (evidence : list use * tree)
    | OverFilter (whole part : nat) (evidence : list use * tree)
    | OverUnion (whole left right : nat)
    | OverKeys (whole bucket part : nat) (evidence evidence' : list use * tree).
  Definition sum_law (ts : list ty) (t s : term) : list law := [{| law_over := ts; law_says := eq' t s |}].
  Definition weights_agree (fuel : nat) (ls : list law) (ts : list ty) (s : sum) (given : term -> term) (evidence : list use * tree) : bool :=
    let Y := parameter ts (sum_element s) in
    follows ds G fuel ls (known_member ds ts (sum_element s) (summed s) Y) (eq' (given Y) (apply (Some Y) None (weighed_by s))) evidence.
  Definition sums (fuel : nat) (ls : list law) (ts : list ty) (step : sum_step) : list law := match step with
    | OverMap n m ev => match sum_function ts n, sum_function ts m with
        | Some (d, s), Some (e, q) => match summed s with
            | Op Map [f; c] => if term_eqb c (summed q) && weights_agree fuel ls ts q (fun Y => apply (Some (apply (Some Y) None f)) None (weighed_by s)) ev
                then sum_law ts (apply_to d ts []) (apply_to e ts []) else []
            | _ => [] end
        | _, _ => [] end
    | OverFilter n m ev => match sum_function ts n, sum_function ts m with
        | Some (d, s), Some (e, q) => match summed s with
            | Op Filter [f; c] => if term_eqb c (summed q) && weights_agree fuel ls ts q (fun Y => ite (apply (Some Y) None f) (apply (Some Y) None (weighed_by s)) (Int 0)) ev
                then sum_law ts (apply_to d ts []) (apply_to e ts []) else []
            | _ => [] end
        | _, _ => [] end
    | OverUnion n m o => match sum_function ts n, sum_function ts m, sum_function ts o with
        | Some (d, s), Some (e, q), Some (h, p) =>
            if term_eqb (summed s) (Op Union [summed q; summed p]) && term_eqb (weighed_by q) (weighed_by s) && term_eqb (weighed_by p) (weighed_by s)
            then sum_law ts (apply_to d ts []) (Op Add [apply_to e ts []; apply_to h ts []]) else []
        | _, _, _ => [] end
    | OverKeys n b m ev ev' => match sum_function ts n, sum_function ts m with
        | Some (d, s), Some (e, q) => match summed s, sum_element q with
            | Op FoldByKey [i; f; c], TTup [k; u] => match sum_function (ts ++ [k]) b, find_defined ds (ts ++ [k]) (match type i with Some t => t | None => TInt end) (bucket ts k u i f c) with
                | Some (h, p), Some v =>
                    let K := parameter ts k in let Y := Var (Any (Datatypes.S (List.length ts))) (TTup [k; u]) in
                    let hyps := known_member ds ts (TTup [k; u]) c Y ++ [eq' K (proj Y 0)] in
                    if term_eqb c (summed q) && term_eqb (summed p) (Op Filter [of_key ts k u; c]) &&
                      follows ds G fuel ls hyps (eq' (apply (Some (Op Tuple [K; apply_to v ts [K]])) None (weighed_by s)) (apply_to h ts [K])) ev &&
                      follows ds G fuel ls hyps (eq' (apply (Some Y) None (weighed_by p)) (apply (Some Y) None (weighed_by q))) ev'
                    then sum_law ts (apply_to d ts []) (apply_to e ts []) else []
                | _, _ => [] end
            | _, _ => [] end
        | _, _ => [] end
    end.

  Lemma sum_law_ok ts t s : type t = Some TInt -> type s = Some TInt -> (forall r, fine r -> meaning r t = meaning r s) -> Forall lawful (sum_law ts t s).
  Proof.
    intros T S E. destruct (same_value t s TInt T S) as [A B]. constructor; [|constructor]. split; auto. intros r F. cbn [law_says]. apply (B r (fine_typed _ _ _ F)). auto.
  Qed.
  Lemma weights_ok fuel ls ts s given ev r : Forall lawful ls -> fine r -> weights_agree fuel ls ts s given ev = true ->
    type (summed s) = Some (TBag (sum_element s)) -> typeof (Some (sum_element s)) None (weighed_by s) = Some TInt ->
    scoped false ts (weighed_by s) = true -> scoped false ts (summed s) = true -> (forall Y, type Y = Some (sum_element s) -> type (given Y) = Some TInt) ->
    forall y, In y (elements (meaning r (summed s))) -> toZ (meaning (beside_params r ts [sum_element s] [y]) (given (parameter ts (sum_element s)))) = weight r (weighed_by s) y.
  Proof.
    intros L F W T TW SW SB TG y I. pose proof (fine_typed _ _ _ F) as R. set (u := sum_element s) in *. set (Y := parameter ts u) in *.
    pose proof (has_type_elements _ _ (typed_meaning r _ _ R T)) as EV. rewrite Forall_forall in EV. pose proof (EV y I) as YT.
    assert (W1 : Forall2 has_type [y] [u]) by auto. set (r2 := beside_params r ts [u] [y]) in *. pose proof (beside_fine ds G OK SG r ts [u] [y] F W1) as F2. fold r2 in F2.
    assert (YV : meaning r2 Y = y) by exact (beside_first r ts u y [] [] R YT (Forall2_nil _)).
    destruct (follows_ok ds G OK SG fuel ls _ _ ev W L) as [_ B]. specialize (B r2 F2).
    assert (H : toB (meaning r2 (eq' (given Y) (apply (Some Y) None (weighed_by s)))) = true).
    { apply B. intros h KM. unfold known_member in KM. destruct (member ds ts (sum_element s) (summed s)) as [e|] eqn:M; [|destruct KM]. destruct KM as [<-|[]].
      apply (beside_member ds G OK SG r ts [u] [y] u (summed s) e Y F W1 SB M eq_refl). fold r2. now rewrite YV. }
    destruct (same_value (given Y) (apply (Some Y) None (weighed_by s)) TInt (TG Y eq_refl) (applied_type (weighed_by s) u TInt Y eq_refl TW)) as [_ E].
    apply (E r2 (fine_typed _ _ _ F2)) in H. rewrite H. rewrite (proj2 (applied (weighed_by s) u TInt Y r2 nothing (fine_typed _ _ _ F2) eq_refl TW)), YV.
    unfold weight. f_equal. now apply (beside_same false r ts [u] [y] _ R W1 SW).
  Qed.
  (** The sum over [summed s] is one over [c], where each element of [c] gives those of [among]. *)
  Lemma sum_changed fuel ls ts n d s m e q given ev r among : Forall lawful ls -> fine r -> sum_function ts n = Some (d, s) -> sum_function ts m = Some (e, q) ->
    weights_agree fuel ls ts q given ev = true -> (forall Y, type Y = Some (sum_element q) -> type (given Y) = Some TInt) ->
    Permutation (elements (meaning r (summed s))) (flat_map among (elements (meaning r (summed q)))) ->
    (forall y, In y (elements (meaning r (summed q))) -> has_type y (sum_element q) ->
      toZ (meaning (beside_params r ts [sum_element q] [y]) (given (parameter ts (sum_element q)))) = sumZ (weight r (weighed_by s)) (among y)) ->
    meaning r (apply_to d ts []) = meaning r (apply_to e ts []).
  Proof.
    intros L F D E W TG P V. rewrite (sum_here r ts n d s F D), (sum_here r ts m e q F E). f_equal.
    destruct (sum_function_ok _ _ _ _ E) as (_ & SE & _). apply read_sum_ok in SE as (_ & T & TW & SW & SB).
    pose proof (has_type_elements _ _ (typed_meaning r _ _ (fine_typed _ _ _ F) T)) as EV. rewrite Forall_forall in EV.
    pose proof (weights_ok fuel ls ts q given ev r L F W T TW SW SB TG) as WK. rewrite (sumZ_perm _ _ _ P).
    set (l := elements (meaning r (summed q))) in *. clear P. induction l as [|y l IH]; cbn [flat_map]; auto. rewrite sumZ_app, IH.
    - unfold sumZ at 3. cbn [fold_right]. f_equal. rewrite <- V, <- WK; cbn; auto. apply EV. cbn. auto.
    - intros. apply V; cbn; auto. - intros. apply EV; cbn; auto. - intros. apply WK; cbn; auto.
  Qed.
  Lemma flat_map_single {A B} (f : A -> B) l : flat_map (fun x => [f x]) l = map f l.
  Proof. induction l; cbn; congruence. Qed.
  Lemma flat_map_filter {A} (p : A -> bool) l : flat_map (fun x => if p x then [x] else []) l = filter p l.
  Proof. induction l as [|x l IH]; cbn; auto. destruct (p x); cbn; congruence. Qed.

  Lemma over_union_ok ts n m o d s e q h p : sum_function ts n = Some (d, s) -> sum_function ts m = Some (e, q) -> sum_function ts o = Some (h, p) ->
    summed s = Op Union [summed q; summed p] -> weighed_by q = weighed_by s -> weighed_by p = weighed_by s ->
    Forall lawful (sum_law ts (apply_to d ts []) (Op Add [apply_to e ts []; apply_to h ts []])).
  Proof.
    intros D E H U Q P. pose proof (sum_type ts m e q E) as TE. pose proof (sum_type ts o h p H) as TH.
    apply sum_law_ok; [eapply sum_type; eauto| |].
    - unfold type in *. cbn [typeof map]. now rewrite TE, TH.
    - intros r F. rewrite (sum_here r ts n d s F D), U. change (meaning r (Op Add [apply_to e ts []; apply_to h ts []])) with
        (VInt (toZ (meaning r (apply_to e ts [])) + (toZ (meaning r (apply_to h ts [])) + 0))).
      rewrite (sum_here r ts m e q F E), (sum_here r ts o h p F H), Q, P. cbn [toZ]. f_equal.
      unfold meaning at 1. cbn [run in_order]. fold (meaning r (summed q)) (meaning r (summed p)).
      rewrite (sumZ_perm _ _ _ (elements_bag _)), sumZ_app. lia.
  Qed.

  Theorem sums_ok fuel ls ts step : Forall lawful ls -> Forall lawful (sums fuel ls ts step).
  Proof.
    intros L. destruct step as [n m ev|n m ev|n m o|n b m ev ev']; cbn [sums].
    3: { destruct (sum_function ts n) as [[d s]|] eqn:D; [|constructor]. destruct (sum_function ts m) as [[e q]|] eqn:E; [|constructor].
      destruct (sum_function ts o) as [[h p]|] eqn:H; [|constructor]. match goal with |- context [if ?c then _ else _] => destruct c eqn:C end; [|constructor].
      rewrite !andb_true_iff in C. destruct C as [[C1 C2] C3]. apply term_eqb_eq in C1, C2, C3. eapply over_union_ok; eauto. }
    all:
      destruct (sum_function ts n) as [[d s]|] eqn:D; try constructor; destruct (sum_function ts m) as [[e q]|] eqn:E; try constructor;
      destruct (sum_function_ok _ _ _ _ D) as (_ & SD & _); destruct (sum_function_ok _ _ _ _ E) as (_ & SE & _);
      apply read_sum_ok in SD as (_ & T & TW & SW & SB); apply read_sum_ok in SE as (_ & T' & TW' & SW' & SB').
    - destruct (summed s) as [| | | | | |o args] eqn:B; try constructor. destruct o; try constructor. destruct args as [|f [|c [|]]]; try constructor.
      match goal with |- context [if ?c then _ else _] => destruct c eqn:C end; [|constructor]. apply andb_true_iff in C as [C1 C2]. apply term_eqb_eq in C1. subst c.
      unfold type in T. cbn [typeof] in T. change (typeof None None (summed q)) with (type (summed q)) in T. rewrite T' in T. whens.
      cbn [scoped applies forallb orb andb negb] in SB. rewrite !andb_true_iff in SB. destruct SB as (SF & _).
      apply sum_law_ok; [eapply sum_type; eauto|eapply sum_type; eauto|]. intros r F. pose proof (fine_typed _ _ _ F) as R.
      assert (AT : forall Y, type Y = Some (sum_element q) -> type (apply (Some Y) None f) = Some (sum_element s)) by (intros; eapply applied_type; eauto).
      apply (sum_changed fuel ls ts n d s m e q _ ev r (fun y => [eval r y nothing f]) L F D E C2).
      + intros Y TY. eapply applied_type; eauto.
      + rewrite B. unfold meaning at 1. cbn [run in_order]. rewrite flat_map_single. apply elements_bag.
      + intros y I YT. unfold sumZ, weight. cbn [fold_right]. rewrite Z.add_0_r. set (Y := parameter ts (sum_element q)).
        assert (W1 : Forall2 has_type [y] [sum_element q]) by auto. pose proof (beside_fine ds G OK SG r ts _ _ F W1) as F2. pose proof (fine_typed _ _ _ F2) as R2.
        rewrite (proj2 (applied (weighed_by s) _ TInt _ _ nothing R2 (AT Y eq_refl) TW)). rewrite (proj2 (applied f _ _ Y _ nothing R2 eq_refl ltac:(eassumption))).
        unfold Y. rewrite (beside_first r ts (sum_element q) y [] [] R YT (Forall2_nil _)).
        now rewrite (beside_same false r ts _ _ f R W1 SF), (beside_same false r ts _ _ (weighed_by s) R W1 SW).
    - destruct (summed s) as [| | | | | |o args] eqn:B; try constructor. destruct o; try constructor. destruct args as [|f [|c [|]]]; try constructor.
      match goal with |- context [if ?c then _ else _] => destruct c eqn:C end; [|constructor]. apply andb_true_iff in C as [C1 C2]. apply term_eqb_eq in C1. subst c.
      unfold type in T. cbn [typeof] in T. change (typeof None None (summed q)) with (type (summed q)) in T. rewrite T' in T. whens.
      cbn [scoped applies forallb orb andb negb] in SB. rewrite !andb_true_iff in SB. destruct SB as (SF & _).
      match goal with H : typeof _ None f = Some TBool |- _ => rename H into TF end. match goal with H : sum_element q = sum_element s |- _ => rename H into EQ | _ => idtac end.
      rewrite <- ?EQ in *.
      apply sum_law_ok; [eapply sum_type; eauto|eapply sum_type; eauto|]. intros r F. pose proof (fine_typed _ _ _ F) as R.
      assert (IT : forall Y r', typed r' -> type Y = Some (sum_element q) -> type (ite (apply (Some Y) None f) (apply (Some Y) None (weighed_by s)) (Int 0)) = Some TInt /\
          meaning r' (ite (apply (Some Y) None f) (apply (Some Y) None (weighed_by s)) (Int 0)) =
          if toB (eval r' (meaning r' Y) nothing f) then eval r' (meaning r' Y) nothing (weighed_by s) else VInt 0).
      { intros Y r' R' TY. destruct (applied f _ TBool Y r' nothing R' TY TF) as [A1 A2]. destruct (applied (weighed_by s) _ TInt Y r' nothing R' TY TW) as [B1 B2].
        destruct (ite_ok r' _ _ (Int 0) TInt R' A1 B1 eq_refl) as [I1 I2]. split; auto. now rewrite I2, A2, B2. }
      apply (sum_changed fuel ls ts n d s m e q _ ev r (fun y => if toB (eval r y nothing f) then [y] else []) L F D E C2).
      + intros Y TY. exact (proj1 (IT Y default_env default_env_typed TY)).
      + rewrite B. unfold meaning at 1. cbn [run in_order]. rewrite flat_map_filter. apply elements_bag.
      + intros y I YT. set (Y := parameter ts (sum_element q)).
        assert (W1 : Forall2 has_type [y] [sum_element q]) by auto. pose proof (beside_fine ds G OK SG r ts _ _ F W1) as F2. pose proof (fine_typed _ _ _ F2) as R2.
        rewrite (proj2 (IT Y _ R2 eq_refl)). unfold Y. rewrite (beside_first r ts (sum_element q) y [] [] R YT (Forall2_nil _)).
        rewrite (beside_same false r ts _ _ f R W1 SF), (beside_same false r ts _ _ (weighed_by s) R W1 SW).
        unfold sumZ, weight. destruct (toB _); cbn [fold_right]; [lia|reflexivity].
    - destruct (summed s) as [| | | | | |o args] eqn:B; try constructor. destruct o; try constructor. destruct args as [|i [|f [|c [|]]]]; try constructor.
      destruct (sum_element q) as [| | | |[|k [|u []]]|] eqn:EQ; try constructor.
      destruct (sum_function (ts ++ [k]) b) as [[h p]|] eqn:HP; [|constructor]. destruct (find_defined _ _ _ _) as [v|] eqn:FV; [|constructor].
      set (K := parameter ts k) in *. set (Y := Var (Any (Datatypes.S (List.length ts))) (TTup [k; u])) in *.
      match goal with |- context [if ?c then _ else _] => destruct c eqn:C end; [|constructor]. rewrite !andb_true_iff in C. destruct C as (((C1 & C2) & CA) & CB).
      apply term_eqb_eq in C1, C2. subst c. apply found in FV as (JV & TV & GV & BV).
      unfold type in T. cbn [typeof] in T. change (typeof None None (summed q)) with (type (summed q)) in T. rewrite T' in T. whens.
      cbn [scoped applies forallb orb andb negb] in SB. rewrite !andb_true_iff in SB. destruct SB as (SI & SF & _).
      match goal with H : typeof None None i = Some ?t |- _ => rename H into TI; rename t into st end.
      match goal with H : _ = sum_element s |- _ => rewrite <- H in TW end. change (type i) with (typeof None None i) in GV. rewrite TI in GV.
      destruct (sum_function_ok _ _ _ _ HP) as (JH & SP & TH & GH). pose proof SP as SP'. apply read_sum_ok in SP' as (_ & TP & TPW & SPW & SPB). rewrite C2 in TP, SPB.
      assert (EP : sum_element p = TTup [k; u]).
      { unfold type in TP. cbn [typeof] in TP. change (typeof None None (summed q)) with (type (summed q)) in TP. rewrite T' in TP.
        destruct (is _ TBool) in TP; [|discriminate]. cbn in TP. congruence. }
      rewrite EP in TPW.
      apply sum_law_ok; [eapply sum_type; eauto|eapply sum_type; eauto|]. intros r F. pose proof (fine_typed _ _ _ F) as R.
      rewrite (sum_here r ts n d s F D), (sum_here r ts m e q F E). f_equal. rewrite B. unfold meaning at 1. cbn [run in_order]. fold (meaning r (summed q)).
      rewrite (sumZ_perm _ _ _ (elements_bag _)), sumZ_map. set (l := elements (meaning r (summed q))) in *.
      pose proof (has_type_elements _ _ (typed_meaning r _ _ R T')) as EV. fold l in EV. rewrite Forall_forall in EV.
      rewrite <- (by_buckets (component 0) (weight r (weighed_by q)) (dedup (map (component 0) l)) l (dedup_nodup _)) by (intros y I; apply dedup_in; now apply in_map).
      apply sumZ_same. intros kv IK. apply (proj1 (dedup_in _ _)), in_map_iff in IK as (y0 & KY0 & IY0).
      assert (KT : forall y, In y l -> component 0 y = kv -> has_type kv k) by (intros y I <-; exact (proj1 (pair_typed y k u (EV y I)))).
      (* an element of the bucket, and its key *)
      assert (ENV : forall y, In y l -> component 0 y = kv -> let r3 := beside_params r ts [k; TTup [k; u]] [kv; y] in
        fine r3 /\ meaning r3 K = kv /\ meaning r3 Y = y /\ (forall g, In g (known_member ds ts (TTup [k; u]) (summed q) Y ++ [eq' K (proj Y 0)]) -> toB (meaning r3 g) = true)).
      { intros y IY KY r3. pose proof (KT y IY KY) as KT'. assert (W2 : Forall2 has_type [kv; y] [k; TTup [k; u]]) by (constructor; auto).
        pose proof (beside_fine ds G OK SG r ts _ _ F W2) as F3. fold r3 in F3. assert (K3 : meaning r3 K = kv) by (apply (beside_first r ts k kv [TTup [k; u]] [y]); auto).
        assert (Y3 : meaning r3 Y = y).
        { pose proof (params_bound [k; TTup [k; u]] ts [] (here r ts) [kv; y] [] r (here_typed r ts R) W2 (Forall2_nil _)) as PB. cbn [params_from map app] in PB.
          injection PB as _ PB. exact PB. }
        repeat split; auto; try apply F3. intros g Ig. apply in_app_iff in Ig as [Ig|[<-|[]]].
        - unfold known_member in Ig. destruct (member ds ts (TTup [k; u]) (summed q)) as [g'|] eqn:M; [|destruct Ig]. destruct Ig as [<-|[]].
          apply (beside_member ds G OK SG r ts _ _ (TTup [k; u]) (summed q) g' Y F W2 SB' M eq_refl). fold r3. now rewrite Y3.
        - assert (Y0 : type (proj Y 0) = Some k) by (eapply proj_type; reflexivity). apply (proj2 (same_value K (proj Y 0) k eq_refl Y0) r3 (fine_typed _ _ _ F3)).
          rewrite K3, m_proj, Y3. auto. }
      destruct (ENV y0 IY0 KY0) as (F3 & K3 & Y3 & H3). set (r3 := beside_params r ts [k; TTup [k; u]] [kv; y0]) in *. pose proof (fine_typed _ _ _ F3) as R3.
      assert (W3 : Forall2 has_type [kv; y0] [k; TTup [k; u]]) by (constructor; eauto).
      assert (AK : typed_as [K] [k]) by (repeat constructor).
      assert (TVK : type (apply_to v ts [K]) = Some st) by (rewrite <- GV; apply (apply_to_type ds v ts [k]); auto).
      assert (THK : type (apply_to h ts [K]) = Some TInt) by (rewrite <- GH; apply (apply_to_type ds h ts [k]); auto).
      assert (TT : type (Op Tuple [K; apply_to v ts [K]]) = Some (TTup [k; st])) by (unfold type in *; cbn [typeof map sequence]; now rewrite TVK).
      assert (TWA : type (apply (Some (Op Tuple [K; apply_to v ts [K]])) None (weighed_by s)) = Some TInt) by (eapply applied_type; eauto).
      pose proof (proj2 (follows_ok ds G OK SG fuel ls _ _ ev CA L) r3 F3 H3) as HA. apply (proj2 (same_value _ _ TInt TWA THK) r3 R3) in HA.
      rewrite (proj2 (applied (weighed_by s) _ TInt _ r3 nothing R3 TT TW)) in HA.
      assert (VT : meaning r3 (Op Tuple [K; apply_to v ts [K]]) = VTup [kv; fold_left (fun m x => eval r x m f) (map (component 1) (filter (fun x => veqb (component 0 x) kv) l)) (eval r nothing nothing i)]).
      { unfold meaning at 1. cbn [run map]. fold (meaning r3 K) (meaning r3 (apply_to v ts [K])). rewrite K3. do 3 f_equal.
        rewrite (bucket_ok ds G OK r3 ts k u i f (summed q) v K F3 JV TV BV eq_refl SB' SI SF T'), K3.
        unfold meaning at 1 2. unfold r3. rewrite (beside_same false r ts _ _ (summed q) R W3 SB'), (beside_same false r ts _ _ i R W3 SI). fold (meaning r (summed q)). fold l.
        apply fold_left_ext_in. intros z x _. now apply (beside_same false r ts _ _ f R W3). }
      rewrite VT in HA. unfold r3 at 1 in HA. rewrite (beside_same false r ts _ _ (weighed_by s) R W3 SW) in HA. unfold weight at 1. rewrite HA.
      (* what the bucket's sum is *)
      rewrite (apply_to_ok ds G OK r3 h ts [k] [K] F3 JH TH AK). set (ri := inside r3 ts [k] [K]).
      assert (RI : typed ri) by (apply bound_typed; auto; apply values_typed; auto; apply typed_as_app; auto; apply params_typed).
      rewrite (sum_value _ _ _ ri RI SP), C2. cbn [toZ]. unfold meaning at 1. cbn [run in_order]. rewrite (sumZ_perm _ _ _ (elements_bag _)).
      unfold ri at 2. rewrite (inside_here false r3 ts [k] [K] (summed q) R3 AK SB'). unfold r3 at 2. rewrite (beside_same false r ts _ _ (summed q) R W3 SB'). fold (meaning r (summed q)). fold l.
      assert (EF : filter (fun x => toB (eval ri x nothing (of_key ts k u))) l = filter (fun x => veqb (component 0 x) kv) l).
      { apply filter_ext. intros x. unfold of_key, parameter. cbn [run]. rewrite toB_bool. unfold ri. rewrite (inside_first r3 ts k K [] [] R3 eq_refl (Forall2_nil _)). now rewrite K3. }
      fold ri. rewrite EF. apply sumZ_same. intros y IY. apply filter_In in IY as [IY KY]. apply veqb_eq in KY.
      destruct (ENV y IY KY) as (F4 & K4 & Y4 & H4). set (r4 := beside_params r ts [k; TTup [k; u]] [kv; y]) in *. pose proof (fine_typed _ _ _ F4) as R4.
      assert (W4 : Forall2 has_type [kv; y] [k; TTup [k; u]]) by (constructor; eauto).
      assert (TY1 : type (apply (Some Y) None (weighed_by p)) = Some TInt) by (eapply applied_type; eauto; reflexivity).
      assert (TY2 : type (apply (Some Y) None (weighed_by q)) = Some TInt) by (eapply applied_type; eauto; reflexivity).
      pose proof (proj2 (follows_ok ds G OK SG fuel ls _ _ ev' CB L) r4 F4 H4) as HB. apply (proj2 (same_value _ _ TInt TY1 TY2) r4 R4) in HB.
      rewrite (proj2 (applied (weighed_by p) _ TInt Y r4 nothing R4 eq_refl TPW)), (proj2 (applied (weighed_by q) _ TInt Y r4 nothing R4 eq_refl TW')), Y4 in HB.
      unfold r4 at 2 in HB. rewrite (beside_same false r ts _ _ (weighed_by q) R W4 SW') in HB. unfold weight. rewrite <- HB. f_equal.
      apply (scoped_ext _ _ _ _ _ SPW). intros x w Xw. destruct x; try reflexivity.
      destruct (Nat.ltb_spec i0 (List.length ts)) as [LT|GE].
      + rewrite nth_error_app1 in Xw by auto. assert (SV : scoped false ts (Var (Any i0) w) = true) by (cbn [scoped]; rewrite Xw; apply ty_eqb_refl).
        pose proof (inside_here false r3 ts [k] [K] _ R3 AK SV nothing nothing) as V1. pose proof (beside_same false r ts _ _ _ R W3 SV nothing nothing) as V2.
        pose proof (beside_same false r ts _ _ _ R W4 SV nothing nothing) as V3. cbn [run] in V1, V2, V3. unfold ri. rewrite V1. unfold r3, r4. congruence.
      + rewrite nth_error_app2 in Xw by lia. destruct (i0 - List.length ts)%nat as [|j] eqn:J; [|destruct j; discriminate]. injection Xw as <-. replace i0 with (List.length ts) by lia.
        unfold ri. rewrite (inside_first r3 ts k K [] [] R3 eq_refl (Forall2_nil _)), K3. symmetry. exact K4.
  Qed.
End Sums.
